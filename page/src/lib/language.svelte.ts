/**
 * The language of the page: the browser's, or the one chosen here. English comes with the page; another language is
 * fetched when it is wanted.
 */

import type { Texts } from '../texts.ts'

/** Each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', zh: '简体中文', ja: '日本語' } as const
export type Code = keyof typeof LANGUAGES

const FETCHED: Record<Exclude<Code, 'en'>, () => Promise<{ default: Texts }>> = {
  de: () => import('../texts/de.ts'),
  es: () => import('../texts/es.ts'),
  zh: () => import('../texts/zh.ts'),
  ja: () => import('../texts/ja.ts'),
}

const KEY = 'collinear.language'
const isCode = (text: string | null): text is Code => text !== null && Object.hasOwn(LANGUAGES, text)

/** The first language asked for that there is: `de-AT` is served with `de`. */
export const fitting = (asked: readonly string[]): Code =>
  asked.map((tag) => tag.toLowerCase().split('-')[0]!).find(isCode) ?? 'en'

/** What the browser asks for, the most wanted first; no browser, as in a test, asks for English. */
const asked = (): readonly string[] => (typeof navigator === 'undefined' ? [] : (navigator.languages ?? []))

/** Kept by the browser, not by the server: it is known before anything is drawn, and each browser has its own. */
function kept(): Code | null {
  try {
    const text = localStorage.getItem(KEY)
    return isCode(text) ? text : null
  } catch {
    return null
  }
}

class Language {
  /** What the browser asks for. */
  readonly own = fitting(asked())
  /** What was chosen here; null for the browser's. */
  choice = $state<Code | null>(kept())
  /** The one shown. */
  code = $state<Code>('en')
  #texts = $state.raw<Texts | null>(null)

  /** The texts in a language that was fetched; null for English. */
  get texts(): Texts | null {
    return this.#texts
  }

  /** For dates and numbers: the browser's own variant of the language, `de-CH`. */
  get locale(): string {
    return asked().find((tag) => fitting([tag]) === this.code) ?? this.code
  }

  async choose(choice: Code | null) {
    this.choice = choice
    try {
      if (choice) localStorage.setItem(KEY, choice)
      else localStorage.removeItem(KEY)
    } catch {
      // Nothing is kept here: it holds until the page is closed.
    }
    await this.show()
  }

  /** Shows the language chosen; English where it cannot be fetched. */
  async show() {
    const wanted = this.choice ?? this.own
    const texts = wanted === 'en' ? null : await FETCHED[wanted]().then((table) => table.default, () => null)
    // Another one was chosen meanwhile.
    if (wanted !== (this.choice ?? this.own)) return
    this.#texts = texts
    this.code = texts ? wanted : 'en'
    document.documentElement.lang = this.code === 'zh' ? 'zh-Hans' : this.code
  }
}

export const language = new Language()

/** The texts in the language shown: what reads one of them follows when another language is chosen. */
export const chosen = (english: Texts): Texts =>
  new Proxy(english, { get: (_, key) => (language.texts ?? english)[key as keyof Texts] })

/** A large number in few signs: `1.2M`, `120万`. */
export const compact = (n: number): string =>
  new Intl.NumberFormat(language.locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(n)
