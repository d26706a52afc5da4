/** Sign-in with client id and secret. */
import { useState } from 'preact/hooks';
import { ProblemMessage } from '../components/problem-message';
import type { Problem } from '../kernel/problem';
import { type Credentials, signIn, type Who } from '../kernel/session';

interface Props {
  readonly clientId?: string;
  readonly onSignedIn: (who: Who) => void;
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly kind: 'text' | 'password';
  readonly autocomplete: string;
  readonly value?: string;
}

const Field = ({ label, name, kind, autocomplete, value = '' }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input
      type={kind as 'text'}
      name={name}
      autocomplete={autocomplete}
      defaultValue={value}
      required
      spellcheck={false}
      autocapitalize="off"
      maxLength={512}
    />
  </label>
);

const credentialsIn = (form: HTMLFormElement): Credentials => {
  const fields = new FormData(form);
  const field = (name: string): string => String(fields.get(name) ?? '').trim();
  return { clientId: field('clientId'), clientSecret: field('clientSecret') };
};

export const SignInForm = ({ clientId, onSignedIn }: Props) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await signIn(credentialsIn(event.currentTarget as HTMLFormElement));
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) onSignedIn(answer.content);
  };
  return (
    <form class="form" onSubmit={(event) => void submit(event)}>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <Field label="Client id" name="clientId" kind="text" autocomplete="username" value={clientId ?? ''} />
      <Field label="Client secret" name="clientSecret" kind="password" autocomplete="current-password" />
      <button type="submit" class="button primary" disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
};
