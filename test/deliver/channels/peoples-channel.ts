/** What every channel that people read has, where nothing of it is configured. */
export const PEOPLES_CHANNEL = { templates: new Map(), language: 'en', timeZone: null, quiet: null } as const
