/** Script of pages with a password: shows what is typed, until it is sent. */

const show = (field: HTMLInputElement, button: HTMLButtonElement, isVisible: boolean): void => {
  field.type = isVisible ? 'text' : 'password';
  button.textContent = isVisible ? 'Hide' : 'Show';
  button.ariaLabel = `${button.textContent} what is typed`;
};

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-shows]')) {
  const field = document.getElementById(button.dataset.shows ?? '');
  if (!(field instanceof HTMLInputElement)) continue;
  // Without scripts the button would do nothing.
  button.hidden = false;
  button.addEventListener('click', () => {
    show(field, button, field.type === 'password');
    field.focus();
  });
  // Browsers offer to save passwords, and complete text.
  field.form?.addEventListener('submit', () => show(field, button, false));
}
