import assert from 'node:assert/strict';
import { ownerSettings, settingsFor } from '../../../../commands/editor/document-owner/settings';

describe('the capacity of an owner', () => {
  it('depends on its heap, up to a fixed maximum', () => {
    assert.equal(settingsFor(900_000_000).maxNodes, 600_000);
    assert.equal(settingsFor(64 * 1024 ** 3).maxNodes, ownerSettings.maxNodes);
  });
});
