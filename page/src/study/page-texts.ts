/** What the page says of studies besides their player's texts, in five languages; exported files need none of it. */

import { language } from '../lib/language.svelte.ts'
import { textsFor, type StudyTexts } from './texts.ts'

const en = {
  title: 'Studies',
  intro: 'A lesson in chapters: positions with words, arrows and variations. Read one, present it to a class, let others guess the moves, or write your own. Studies are kept in this browser; save them as a file to have them elsewhere.',
  example: 'Comes with the program',
  mine: 'My studies',
  none: 'None yet.',
  create: 'New study',
  open: 'Open a file',
  opened: 'The study is kept here now.',
  edit: 'Edit',
  copyToEdit: 'Copy and edit',
  keep: 'Keep a copy',
  remove: 'Delete',
  removed: 'The study was deleted.',
  save: 'Save as SGF',
  html: 'Save as one HTML file',
  link: 'Copy a link',
  copied: 'The link is copied.',
  linkTooLong: 'This study is too long for a link: save it as a file.',
  gone: 'This study is not in this browser.',
  broken: 'This is not a study: {0}',
  all: 'All studies',
  read: 'Read',
  studyTitle: 'Title of the study',
  author: 'Author',
  language: 'Language (en, de, …)',
  add: 'Add a chapter',
  addBoard: 'Add the game on the board',
  game: 'Game',
  up: 'Move up',
  down: 'Move down',
  chapterTitle: 'Title of the chapter',
  whose: 'Moves to guess',
  mover: 'of the side to move first',
  words: 'Words at this position',
  wordsHelp: '**bold**, *italic*, lines with - for a list, [words](https://…) for a link.',
  tool: 'Tool',
  toolHelp: 'On the board: click or drag, or use the arrow keys and Enter. An arrow or a line goes from the first cell to the second. The right mouse button draws circles and arrows whatever the tool.',
  tools: { play: 'Play moves', black: 'Set up {0}', white: 'Set up {0}', circle: 'Circle', cross: 'Cross', square: 'Square', triangle: 'Triangle', label: 'Label', arrow: 'Arrow', line: 'Line', erase: 'Erase' },
  ink: 'Colour',
  inks: { plain: 'Dark', red: 'Red', green: 'Green', blue: 'Blue', yellow: 'Yellow' },
  label: 'Letters of the label',
  markBad: 'This move is a mistake',
  promote: 'Make this the main line',
  prune: 'Delete this move and what follows',
  undo: 'Undo',
  moves: 'Moves',
  start: 'Start',
}
export type StudyPageTexts = typeof en

const de: StudyPageTexts = {
  title: 'Studien', intro: 'Eine Lektion in Kapiteln: Stellungen mit Worten, Pfeilen und Varianten. Lesen Sie eine, führen Sie sie einer Klasse vor, lassen Sie andere die Züge erraten oder schreiben Sie eine eigene. Studien bleiben in diesem Browser; als Datei gespeichert gehen sie mit.',
  example: 'Im Programm enthalten', mine: 'Meine Studien', none: 'Noch keine.', create: 'Neue Studie', open: 'Datei öffnen', opened: 'Die Studie ist jetzt hier aufgehoben.',
  edit: 'Bearbeiten', copyToEdit: 'Kopieren und bearbeiten', keep: 'Kopie behalten', remove: 'Löschen', removed: 'Die Studie wurde gelöscht.', save: 'Als SGF speichern', html: 'Als eine HTML-Datei speichern',
  link: 'Link kopieren', copied: 'Der Link ist kopiert.', linkTooLong: 'Diese Studie ist zu lang für einen Link: Speichern Sie sie als Datei.', gone: 'Diese Studie ist nicht in diesem Browser.', broken: 'Das ist keine Studie: {0}',
  all: 'Alle Studien', read: 'Lesen', studyTitle: 'Titel der Studie', author: 'Autor', language: 'Sprache (en, de, …)', add: 'Kapitel hinzufügen', addBoard: 'Partie vom Brett hinzufügen', game: 'Spiel',
  up: 'Nach oben', down: 'Nach unten', chapterTitle: 'Titel des Kapitels', whose: 'Zu erratende Züge', mover: 'der Seite, die beginnt', words: 'Worte zu dieser Stellung',
  wordsHelp: '**fett**, *kursiv*, Zeilen mit - für eine Liste, [Worte](https://…) für einen Link.', tool: 'Werkzeug',
  toolHelp: 'Auf dem Brett: klicken oder ziehen, oder Pfeiltasten und Eingabe. Ein Pfeil oder eine Linie geht vom ersten zum zweiten Feld. Die rechte Maustaste zeichnet Kreise und Pfeile mit jedem Werkzeug.',
  tools: { play: 'Züge spielen', black: '{0} aufstellen', white: '{0} aufstellen', circle: 'Kreis', cross: 'Kreuz', square: 'Quadrat', triangle: 'Dreieck', label: 'Beschriftung', arrow: 'Pfeil', line: 'Linie', erase: 'Wegwischen' },
  ink: 'Farbe', inks: { plain: 'Dunkel', red: 'Rot', green: 'Grün', blue: 'Blau', yellow: 'Gelb' }, label: 'Buchstaben der Beschriftung', markBad: 'Dieser Zug ist ein Fehler',
  promote: 'Zur Hauptvariante machen', prune: 'Diesen Zug und was folgt löschen', undo: 'Rückgängig', moves: 'Züge', start: 'Anfang',
}

const es: StudyPageTexts = {
  title: 'Estudios', intro: 'Una lección en capítulos: posiciones con palabras, flechas y variantes. Lea uno, preséntelo a una clase, deje que otros adivinen las jugadas o escriba el suyo. Los estudios se guardan en este navegador; guárdelos como archivo para tenerlos en otra parte.',
  example: 'Viene con el programa', mine: 'Mis estudios', none: 'Todavía ninguno.', create: 'Estudio nuevo', open: 'Abrir un archivo', opened: 'El estudio queda guardado aquí.',
  edit: 'Editar', copyToEdit: 'Copiar y editar', keep: 'Guardar una copia', remove: 'Borrar', removed: 'El estudio se ha borrado.', save: 'Guardar como SGF', html: 'Guardar como un archivo HTML',
  link: 'Copiar un enlace', copied: 'El enlace está copiado.', linkTooLong: 'Este estudio es demasiado largo para un enlace: guárdelo como archivo.', gone: 'Este estudio no está en este navegador.', broken: 'Esto no es un estudio: {0}',
  all: 'Todos los estudios', read: 'Leer', studyTitle: 'Título del estudio', author: 'Autor', language: 'Idioma (en, es, …)', add: 'Añadir un capítulo', addBoard: 'Añadir la partida del tablero', game: 'Juego',
  up: 'Subir', down: 'Bajar', chapterTitle: 'Título del capítulo', whose: 'Jugadas que adivinar', mover: 'del bando que empieza', words: 'Palabras en esta posición',
  wordsHelp: '**negrita**, *cursiva*, líneas con - para una lista, [palabras](https://…) para un enlace.', tool: 'Herramienta',
  toolHelp: 'En el tablero: haga clic o arrastre, o use las flechas y Entrar. Una flecha o una línea va de la primera casilla a la segunda. El botón derecho dibuja círculos y flechas con cualquier herramienta.',
  tools: { play: 'Jugar', black: 'Colocar {0}', white: 'Colocar {0}', circle: 'Círculo', cross: 'Cruz', square: 'Cuadrado', triangle: 'Triángulo', label: 'Etiqueta', arrow: 'Flecha', line: 'Línea', erase: 'Borrar' },
  ink: 'Color', inks: { plain: 'Oscuro', red: 'Rojo', green: 'Verde', blue: 'Azul', yellow: 'Amarillo' }, label: 'Letras de la etiqueta', markBad: 'Esta jugada es un error',
  promote: 'Hacerla variante principal', prune: 'Borrar esta jugada y lo que sigue', undo: 'Deshacer', moves: 'Jugadas', start: 'Principio',
}

const zh: StudyPageTexts = {
  title: '研究', intro: '分章的课程：带文字、箭头和变化的局面。可以阅读、向全班演示、让别人猜着法，或自己编写。研究保存在此浏览器中；要带走请存为文件。',
  example: '程序自带', mine: '我的研究', none: '还没有。', create: '新建研究', open: '打开文件', opened: '研究已保存在这里。',
  edit: '编辑', copyToEdit: '复制并编辑', keep: '保存副本', remove: '删除', removed: '研究已删除。', save: '存为 SGF', html: '存为单个 HTML 文件',
  link: '复制链接', copied: '链接已复制。', linkTooLong: '此研究太长，无法做成链接：请存为文件。', gone: '此浏览器中没有这个研究。', broken: '这不是研究：{0}',
  all: '全部研究', read: '阅读', studyTitle: '研究标题', author: '作者', language: '语言（en、zh、…）', add: '添加一章', addBoard: '添加棋盘上的对局', game: '棋种',
  up: '上移', down: '下移', chapterTitle: '章节标题', whose: '要猜的着法', mover: '先走的一方', words: '此局面的文字',
  wordsHelp: '**粗体**、*斜体*、以 - 开头的行为列表、[文字](https://…) 为链接。', tool: '工具',
  toolHelp: '在棋盘上点击或拖动，或用方向键和回车。箭头和线从第一格到第二格。用任何工具时，鼠标右键都画圆圈和箭头。',
  tools: { play: '下子', black: '摆{0}子', white: '摆{0}子', circle: '圆圈', cross: '叉', square: '方框', triangle: '三角', label: '标签', arrow: '箭头', line: '线', erase: '擦除' },
  ink: '颜色', inks: { plain: '深色', red: '红', green: '绿', blue: '蓝', yellow: '黄' }, label: '标签文字', markBad: '这一着是错着',
  promote: '设为主变', prune: '删除这一着及其后', undo: '撤销', moves: '着法', start: '开头',
}

const ja: StudyPageTexts = {
  title: '研究', intro: '章に分かれた教材です。局面に文、矢印、変化を付けられます。読む、教室で発表する、次の一手を当てさせる、自分で書く、のどれもできます。研究はこのブラウザに保存されます。持ち出すにはファイルに保存してください。',
  example: 'プログラム付属', mine: '自分の研究', none: 'まだありません。', create: '新しい研究', open: 'ファイルを開く', opened: '研究をここに保存しました。',
  edit: '編集', copyToEdit: '複製して編集', keep: '複製を保存', remove: '削除', removed: '研究を削除しました。', save: 'SGF で保存', html: '一つの HTML ファイルで保存',
  link: 'リンクをコピー', copied: 'リンクをコピーしました。', linkTooLong: 'この研究はリンクには長すぎます。ファイルに保存してください。', gone: 'この研究はこのブラウザにありません。', broken: 'これは研究ではありません：{0}',
  all: 'すべての研究', read: '読む', studyTitle: '研究の題', author: '作者', language: '言語（en、ja、…）', add: '章を加える', addBoard: '盤上の対局を加える', game: 'ゲーム',
  up: '上へ', down: '下へ', chapterTitle: '章の題', whose: '当てる手', mover: '先に打つ側', words: 'この局面の文',
  wordsHelp: '**太字**、*斜体*、- で始まる行は箇条書き、[文](https://…) はリンク。', tool: '道具',
  toolHelp: '盤上でクリックかドラッグ、または矢印キーと Enter。矢印と線は最初の点から次の点へ引きます。右ボタンはどの道具でも丸と矢印を描きます。',
  tools: { play: '手を打つ', black: '{0}を置く', white: '{0}を置く', circle: '丸', cross: 'バツ', square: '四角', triangle: '三角', label: '文字', arrow: '矢印', line: '線', erase: '消す' },
  ink: '色', inks: { plain: '濃色', red: '赤', green: '緑', blue: '青', yellow: '黄' }, label: '文字の内容', markBad: 'この手は悪手',
  promote: '本譜にする', prune: 'この手とその後を削除', undo: '元に戻す', moves: '手順', start: '開始',
}

export const STUDY_PAGE_TEXTS: Record<string, StudyPageTexts> = { en, de, es, zh, ja }

/** In the language of the page. */
export const pageTexts = (): StudyPageTexts => STUDY_PAGE_TEXTS[language.code] ?? en
export const playerTexts = (): StudyTexts => textsFor(language.code)
