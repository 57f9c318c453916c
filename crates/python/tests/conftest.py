"""The games every suite runs on: two stones per turn, gravity, one stone, small, and unnamed."""

GAMES = ["connect6", "connect4", "gomoku", "tictactoe", "9x9,k=5,p=2"]
