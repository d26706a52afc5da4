/** A library as a harbour office has it: folders, files of several kinds, one that failed, a group, grants, a hold, the trash, and a deletion. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../../packages/client/src/index';
import { uploadFile } from '../../support/files/upload-file';
import { eventually } from '../../support/waiting/eventually';

const sample = (path: string): Buffer => readFileSync(join(__dirname, '../../packages/file-readers/files', path));

const lease = `# Lease of the north quay

Between the harbour office of Cala and the Shipyard Arenella.

## Term and notice

The lease begins on 1 March 2026 and runs for five years. The notice period is three months, to the end of a quarter. Notice is
given in writing.

## Rent

The rent is 4,200 euros a month, due on the third working day. It follows the price index once a year.

## Use

The tenant may moor vessels of up to forty metres. The crane is used by certified operators only.
`;

const berths = [
  'berth,length_m,depth_m,vessel,until',
  'N1,42,5.5,Stella Maris,2026-12-14',
  'N2,38,5.0,Aurora,2027-01-31',
  'N3,38,4.8,,',
  'S1,25,3.2,Libeccio,2026-12-02',
  'S2,25,3.2,Grecale,2027-03-15',
].join('\n');

const rules = `# Rules of the harbour

Speed is limited to three knots inside the breakwater. Waste oil goes to the tank beside berth S2. In a storm above force eight
the north quay is closed, and vessels there move to the inner basin within two hours.
`;

interface Options {
  readonly url: string;
  readonly token: () => Promise<string>;
  readonly septet: Client;
  /** Of a colleague, who is in the group. */
  readonly ada: string;
}

export interface PopulatedFiles {
  readonly leaseId: string;
  readonly pdfId: string;
  readonly folderId: string;
  readonly groupId: string;
  readonly deletedId: string;
}

export const populateFiles = async ({ url, token, septet, ada }: Options): Promise<PopulatedFiles> => {
  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const folderOf = async (name: string, parentFolderId: string | null = null): Promise<string> =>
    (await septet.createFileFolder({ body: { name, parentFolderId } })).body.folderId;
  const upload = async (
    filename: string,
    mimeType: string,
    content: Buffer | string,
    folderId?: string,
  ): Promise<string> => {
    const parent = folderId === undefined ? {} : { parentFolderId: folderId };
    return (await uploadFile({ send }, { filename, mimeType, content: Buffer.from(content), ...parent })).fileId;
  };

  const folderId = await folderOf('Contracts');
  await folderOf('Expired', folderId);
  await folderOf('Letters');
  const leaseId = await upload('Lease of the north quay.md', 'text/markdown', lease, folderId);
  const settled = [
    leaseId,
    await upload('Berths 2026.csv', 'text/csv', berths, folderId),
    await upload('Rules of the harbour.md', 'text/markdown', rules),
    await upload('Telegram of 1961.png', 'image/png', sample('scans/typewriter.png')),
    await upload('Old plan.pdf', 'application/pdf', '%PDF-1.7\nThe rest was lost.'),
  ];
  const pdfId = await upload('The crazy ones.pdf', 'application/pdf', sample('pdf/crazyones.pdf'));
  const draftId = await upload('Draft of a letter.txt', 'text/plain', 'Dear harbour master, the crane is loud.');
  const deletedId = await upload('Offer of 2019.txt', 'text/plain', 'An offer that nobody took.');
  for (const fileId of [...settled, pdfId, draftId, deletedId])
    await eventually(async () => {
      const { status } = (await septet.getFileStatus({ fileId })).body;
      assert.match(status, /^(?:READY|FAILED|PARTIALLY_READY)$/, `${fileId} is ${status}`);
    });
  await uploadFile(
    { send },
    {
      fileId: leaseId,
      mimeType: 'text/markdown',
      content: Buffer.from(`${lease}\n## Annex\n\nThe crane is insured.\n`),
    },
  );
  const { groupId } = (await septet.createFileGroup({ body: { name: 'Legal' } })).body;
  await septet.addFileGroupMember({ groupId, principalId: ada });
  await septet.grantFileFolder({
    folderId,
    body: { principalType: 'group', principalId: groupId, role: 'editor' },
  });
  await septet.grantFile({ fileId: leaseId, body: { principalType: 'tenant', principalId: 'main', role: 'viewer' } });
  await septet.holdFile({ fileId: leaseId, body: { reason: 'Case 2026-117' } });
  await septet.trashFile({ fileId: draftId });
  await septet.deleteFile({ fileId: deletedId });
  return { leaseId, pdfId, folderId, groupId, deletedId };
};
