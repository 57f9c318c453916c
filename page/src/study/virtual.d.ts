/** The script of exported studies as a text. */
declare module 'virtual:study-player' {
  const script: string
  export default script
}
