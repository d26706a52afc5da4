/** Before anything is painted: the theme that was chosen here last, else the system's. See `kernel/theme.ts`. */
const root = document.documentElement;
try {
  const chosen = localStorage.getItem('septet-theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
} catch {
  // Where storage is refused, the system decides.
}
