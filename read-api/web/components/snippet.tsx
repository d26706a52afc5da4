/** Text to paste elsewhere: what it is for, and a button that copies it. */
import { CopyButton } from './copy-button';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly command: string;
  /** Of the button; by default that of a command. */
  readonly copyLabel?: string;
}

export const Snippet = ({ title, text, command, copyLabel = 'Copy the command' }: Props) => (
  <section class="section snippet">
    <div class="section-head">
      <h2>{title}</h2>
      <CopyButton text={command} label={copyLabel} />
    </div>
    <p class="help">{text}</p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>{command}</pre>
  </section>
);
