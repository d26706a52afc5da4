/** Where to read on: the operations of the API that this server describes, and the guide in the project's folder. */
interface Props {
  /** In `docs/`. */
  readonly file: string;
  /** Of the API reference. */
  readonly group: string;
}

export const Guide = ({ file, group }: Props) => (
  <>
    Guide: <code>docs/{file}</code>. <a href={`/docs/${encodeURIComponent(group)}`}>API reference</a>
  </>
);
