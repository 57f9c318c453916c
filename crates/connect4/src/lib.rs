//! The perfect solver for gravity boards: own bitboards, own table, own book
