/**
 * What the page and exported files say of studies, in five languages. They stand apart from the page's other texts: they
 * are fetched with the first study, and an exported file carries those of its language. {0} is filled in.
 */

const en = {
  chapters: 'Chapters',
  chapterOf: '{0} of {1}',
  untitled: 'Untitled',
  by: 'by {0}',
  board: 'Board of the study',
  first: 'To the start',
  back: 'Back',
  forward: 'Forward',
  last: 'To the end',
  previousChapter: 'Previous chapter',
  nextChapter: 'Next chapter',
  goesOn: 'Continuations',
  mistake: 'mistake',
  numbers: 'Numbers on the stones',
  toBoard: 'Open on the board',
  present: 'Present',
  leave: 'End presentation',
  fullScreen: 'Full screen',
  hideAnswers: 'Hide the answers',
  showAnswer: 'Show the answer',
  hidden: 'The answer is hidden.',
  keys: 'Keys: → or space forward, ← back, ↑ ↓ choose a continuation, Page Down next chapter, H hide or show the answer, F full screen, Esc end.',
  guess: 'Guess the moves',
  endGuess: 'Read instead',
  yourMove: '{0} to move: what would you play?',
  moreStones: 'Right so far: {0} more of this turn.',
  right: 'Right!',
  alternative: 'The author shows this too.',
  wrong: 'Not what the author plays. Try again.',
  wrongShown: 'The author shows this as a mistake. Try again.',
  giveUp: 'Show the move',
  again: 'Again',
  done: 'Done: {0} of {1} found at the first try.',
  nothing: 'There is no move to guess in this chapter.',
  empty: '{0}, empty',
  stone: '{0}, {1}',
  black: 'Black',
  white: 'White',
  red: 'Red',
  yellow: 'Yellow',
  toMove: '{0} to move',
  drawn: 'Drawn: {0}',
  noScript: 'This study needs JavaScript to be stepped through.',
}
export type StudyTexts = typeof en

const de: StudyTexts = {
  chapters: 'Kapitel', chapterOf: '{0} von {1}', untitled: 'Ohne Titel', by: 'von {0}', board: 'Brett der Studie',
  first: 'Zum Anfang', back: 'Zurück', forward: 'Weiter', last: 'Zum Ende', previousChapter: 'Voriges Kapitel', nextChapter: 'Nächstes Kapitel',
  goesOn: 'Fortsetzungen', mistake: 'Fehler', numbers: 'Nummern auf den Steinen', toBoard: 'Aufs Brett legen', present: 'Vorführen', leave: 'Vorführung beenden',
  fullScreen: 'Ganzer Bildschirm', hideAnswers: 'Antworten verbergen', showAnswer: 'Antwort zeigen', hidden: 'Die Antwort ist verborgen.',
  keys: 'Tasten: → oder Leertaste weiter, ← zurück, ↑ ↓ Fortsetzung wählen, Bild ab nächstes Kapitel, H Antwort verbergen oder zeigen, F ganzer Bildschirm, Esc beenden.',
  guess: 'Züge erraten', endGuess: 'Lieber lesen', yourMove: '{0} am Zug: Was würden Sie spielen?', moreStones: 'Bis hierher richtig: noch {0} in diesem Zug.',
  right: 'Richtig!', alternative: 'Auch das zeigt der Autor.', wrong: 'Das spielt der Autor nicht. Noch ein Versuch.', wrongShown: 'Der Autor zeigt das als Fehler. Noch ein Versuch.',
  giveUp: 'Zug zeigen', again: 'Noch einmal', done: 'Fertig: {0} von {1} im ersten Versuch gefunden.', nothing: 'In diesem Kapitel ist kein Zug zu erraten.',
  empty: '{0}, leer', stone: '{0}, {1}', black: 'Schwarz', white: 'Weiß', red: 'Rot', yellow: 'Gelb', toMove: '{0} am Zug', drawn: 'Gezeichnet: {0}',
  noScript: 'Um diese Studie durchzugehen, ist JavaScript nötig.',
}

const es: StudyTexts = {
  chapters: 'Capítulos', chapterOf: '{0} de {1}', untitled: 'Sin título', by: 'de {0}', board: 'Tablero del estudio',
  first: 'Al principio', back: 'Atrás', forward: 'Adelante', last: 'Al final', previousChapter: 'Capítulo anterior', nextChapter: 'Capítulo siguiente',
  goesOn: 'Continuaciones', mistake: 'error', numbers: 'Números en las piedras', toBoard: 'Abrir en el tablero', present: 'Presentar', leave: 'Terminar la presentación',
  fullScreen: 'Pantalla completa', hideAnswers: 'Ocultar las respuestas', showAnswer: 'Mostrar la respuesta', hidden: 'La respuesta está oculta.',
  keys: 'Teclas: → o espacio adelante, ← atrás, ↑ ↓ elegir una continuación, Av Pág capítulo siguiente, H ocultar o mostrar la respuesta, F pantalla completa, Esc terminar.',
  guess: 'Adivinar las jugadas', endGuess: 'Mejor leer', yourMove: 'Juegan {0}: ¿qué jugaría usted?', moreStones: 'Bien hasta aquí: faltan {0} de este turno.',
  right: '¡Correcto!', alternative: 'El autor también muestra esta.', wrong: 'No es lo que juega el autor. Pruebe otra vez.', wrongShown: 'El autor la muestra como error. Pruebe otra vez.',
  giveUp: 'Mostrar la jugada', again: 'Otra vez', done: 'Hecho: {0} de {1} encontradas al primer intento.', nothing: 'En este capítulo no hay jugadas que adivinar.',
  empty: '{0}, vacía', stone: '{0}, {1}', black: 'Negras', white: 'Blancas', red: 'Rojas', yellow: 'Amarillas', toMove: 'Juegan {0}', drawn: 'Dibujado: {0}',
  noScript: 'Para recorrer este estudio hace falta JavaScript.',
}

const zh: StudyTexts = {
  chapters: '章节', chapterOf: '第 {0} 章，共 {1} 章', untitled: '无标题', by: '作者：{0}', board: '研究棋盘',
  first: '到开头', back: '后退', forward: '前进', last: '到结尾', previousChapter: '上一章', nextChapter: '下一章',
  goesOn: '后续着法', mistake: '错着', numbers: '显示手数', toBoard: '在棋盘上打开', present: '演示', leave: '结束演示',
  fullScreen: '全屏', hideAnswers: '隐藏答案', showAnswer: '显示答案', hidden: '答案已隐藏。',
  keys: '按键：→ 或空格前进，← 后退，↑ ↓ 选择后续，Page Down 下一章，H 隐藏或显示答案，F 全屏，Esc 结束。',
  guess: '猜着法', endGuess: '改为阅读', yourMove: '轮到{0}：你会下哪里？', moreStones: '到此正确：本手还有 {0} 子。',
  right: '正确！', alternative: '作者也给出了这一着。', wrong: '不是作者的着法，请再试。', wrongShown: '作者指出这是错着，请再试。',
  giveUp: '显示着法', again: '再来一次', done: '完成：{1} 手中有 {0} 手一次猜中。', nothing: '本章没有可猜的着法。',
  empty: '{0}，空', stone: '{0}，{1}', black: '黑方', white: '白方', red: '红方', yellow: '黄方', toMove: '轮到{0}', drawn: '图示：{0}',
  noScript: '浏览此研究需要 JavaScript。',
}

const ja: StudyTexts = {
  chapters: '章', chapterOf: '{1} 章中 {0} 章', untitled: '無題', by: '作者：{0}', board: '研究の盤',
  first: '最初へ', back: '戻る', forward: '進む', last: '最後へ', previousChapter: '前の章', nextChapter: '次の章',
  goesOn: '続きの手', mistake: '悪手', numbers: '石に番号', toBoard: '盤で開く', present: '発表', leave: '発表を終える',
  fullScreen: '全画面', hideAnswers: '答えを隠す', showAnswer: '答えを見せる', hidden: '答えは隠れています。',
  keys: 'キー：→ かスペースで進む、← で戻る、↑ ↓ で続きを選ぶ、Page Down で次の章、H で答えを隠す・見せる、F で全画面、Esc で終わる。',
  guess: '次の一手', endGuess: '読むだけにする', yourMove: '{0}の番：どこに打ちますか。', moreStones: 'ここまで正解：この手番はあと {0} 個。',
  right: '正解！', alternative: '作者はこの手も示しています。', wrong: '作者の手ではありません。もう一度。', wrongShown: '作者はこれを悪手としています。もう一度。',
  giveUp: '手を見せる', again: 'もう一度', done: '終わり：{1} 手のうち {0} 手を一度で当てました。', nothing: 'この章に当てる手はありません。',
  empty: '{0}、空き', stone: '{0}、{1}', black: '黒', white: '白', red: '赤', yellow: '黄', toMove: '{0}の番', drawn: '図：{0}',
  noScript: 'この研究をたどるには JavaScript が必要です。',
}

export const STUDY_TEXTS = { en, de, es, zh, ja }
export type StudyCode = keyof typeof STUDY_TEXTS

/** The texts in a language: `de-CH` has those of `de`, one that is not there English ones. */
export const textsFor = (language: string): StudyTexts =>
  STUDY_TEXTS[language.toLowerCase().split('-')[0] as StudyCode] ?? en

export const fill = (text: string, ...values: (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ''))
