import type { TranslatedLanguage } from '../../../message/languages/translation.ts'

/** What pages say in languages beside English, by the English sentence. A language that lacks one says it in English. */
export type Sayings = Readonly<Record<string, Readonly<Partial<Record<TranslatedLanguage, string>>>>>
