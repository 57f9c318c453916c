/* An engine that says nothing, reads nothing and does not end by itself. */
#include <windows.h>
int main(void) { Sleep(600000); return 0; }
