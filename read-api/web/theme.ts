/** Applies the stored theme before the first paint. See `kernel/theme.ts`. */
const root = document.documentElement;
try {
  const chosen = localStorage.getItem('septet-theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
} catch {
  // Without storage the system decides.
}
