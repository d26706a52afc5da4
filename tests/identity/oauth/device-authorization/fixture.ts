/** A television that requested a device code, and a signed-in person with the scope that it requests. */
import { field, jsonOf, startWithSignedInPerson } from '../authorization/fixture';
import { type Browser, register } from '../authorization/recorded-facts';

export const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

export const useDeviceRequest = () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  let deviceAnswer: Record<string, string>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    await register(stage, 'acme~tv', { name: 'Television', grantTypes: [grantType, 'refresh_token'] });
    deviceAnswer = await requestCode();
  });
  afterEach(() => stage.close());

  const requestCode = async (changes: Record<string, string> = {}): Promise<Record<string, string>> => {
    const form = { client_id: 'acme~tv', scope: 'principals:read', ...changes };
    return (await jsonOf(stage.send('/oauth/device_authorization', form))) as Record<string, string>;
  };
  const poll = async (changes: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    stage.wait(5);
    const form = {
      grant_type: grantType,
      client_id: 'acme~tv',
      device_code: deviceAnswer.device_code ?? '',
      ...changes,
    };
    return jsonOf(stage.send('/oauth/token', form));
  };
  const errorOf = async (changes: Record<string, string> = {}): Promise<unknown> => (await poll(changes)).error;
  const look = (code = deviceAnswer.user_code ?? '', browser: Browser = stage.browser): Promise<Response> =>
    stage.visit(`/device?user_code=${code}`, browser);
  const decide = async (decision: string, browser = stage.browser): Promise<Response> => {
    const page = await (await look(deviceAnswer.user_code, browser)).text();
    const csrf = field(await (await stage.visit('/device', browser)).text(), 'csrf');
    const form = { csrf, user_code: deviceAnswer.user_code ?? '', shown: field(page, 'shown'), decision };
    return stage.submit('/device', form, browser);
  };
  return { stage: () => stage, deviceAnswer: () => deviceAnswer, requestCode, poll, errorOf, look, decide };
};
