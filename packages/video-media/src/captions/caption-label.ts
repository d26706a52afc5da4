const maxLength = 100;

/** What captions are called in a player: their title, or their language as people read it. */
export const captionLabel = (language: string, title: string | null): string => {
  if (title !== null && title !== '') return title.slice(0, maxLength);
  if (language === 'und') return 'Captions';
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
};
