/** Script of the sign-in pages: requests a passkey from the browser and submits the response with the form. */

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const padded = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(padded), (character) => character.charCodeAt(0));
};

const textOf = (bytes: ArrayBuffer | null): string => {
  const characters = Array.from(new Uint8Array(bytes ?? new ArrayBuffer(0)), (byte) => String.fromCharCode(byte));
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

interface Described {
  readonly id: string;
  readonly type: 'public-key';
}

const described = (list: readonly Described[] | undefined): PublicKeyCredentialDescriptor[] =>
  (list ?? []).map(({ id, type }) => ({ type, id: bytesOf(id) }));

/** WebAuthn options as JSON: bytes are base64url. */
interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly allowCredentials?: readonly Described[];
  readonly excludeCredentials?: readonly Described[];
}

const created = async (options: Options) => {
  const { user, excludeCredentials, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: bytesOf(options.challenge),
    user: { ...user, id: bytesOf(user?.id ?? '') },
    excludeCredentials: described(excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const found = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = found.response as AuthenticatorAttestationResponse;
  return {
    id: found.id,
    rawId: textOf(found.rawId),
    type: found.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports(),
    },
  };
};

const asserted = async (options: Options) => {
  const { allowCredentials, ...rest } = options;
  const publicKey = {
    ...rest,
    challenge: bytesOf(options.challenge),
    allowCredentials: described(allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions;
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    id: found.id,
    rawId: textOf(found.rawId),
    type: found.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle === null ? undefined : textOf(response.userHandle),
    },
  };
};

const failed = (form: HTMLFormElement): void => {
  const notice = form.querySelector<HTMLElement>('[data-failed]');
  if (notice !== null) notice.hidden = false;
};

const sending = async (form: HTMLFormElement): Promise<void> => {
  const options = JSON.parse(form.dataset.passkey ?? '{}') as Options;
  const answer = form.elements.namedItem('answer');
  if (!(answer instanceof HTMLInputElement)) return;
  try {
    answer.value = JSON.stringify(await (options.user === undefined ? asserted(options) : created(options)));
    form.submit();
  } catch {
    failed(form);
  }
};

const hasPasskeys = typeof PublicKeyCredential !== 'undefined';

for (const notice of document.querySelectorAll<HTMLElement>('[data-no-passkeys]')) notice.hidden = hasPasskeys;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  // Visible only in browsers with passkeys.
  form.hidden = !hasPasskeys;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void sending(form);
  });
}
