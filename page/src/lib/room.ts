/** The room of a game with a friend: its secret stands in the address of the page, `?room=…`, and opens nothing else. */

/** The secret of the room whose link the page came by; null on every other page. */
export const room: string | null =
  typeof window === 'undefined' ? null : new URLSearchParams(window.location.search).get('room')

/** The address of a room on the server that the page came from. */
export const roomLink = (secret: string): string => `${window.location.origin}${window.location.pathname}?room=${secret}`
