/** A page with the upload component. The test exposes the functions of its service. */
import '../../../read-api/web/styles/main.css';
import { render } from 'preact';
import { FileUpload } from '../../../read-api/web/components/file-upload';
import type { PartTag, PartToSign, SignedPart, UploadPlan, UploadService } from '../../../read-api/web/kernel/upload';

declare const begin: (name: string, size: number, type: string) => Promise<UploadPlan>;
declare const sign: (part: PartToSign) => Promise<SignedPart>;
declare const complete: (parts: readonly PartTag[]) => Promise<number>;

const service: UploadService<number> = {
  begin: ({ name, size, type }) => begin(name, size, type),
  sign: (part) => sign(part),
  complete: (parts) => complete(parts),
};

const showStored = (size: number): void => {
  document.title = `stored ${size}`;
};

const App = () => (
  <main style="padding: 24px">
    <h1>Import</h1>
    <FileUpload name="test" label="Places" service={service} onDone={showStored} />
  </main>
);

render(<App />, document.getElementById('root') as HTMLElement);
