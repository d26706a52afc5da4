/** Severities of security events, in words. */
import { StatusBadge, type Tone } from '../../components/status-badge';

export const severities = ['SEV-1', 'SEV-2', 'SEV-3'] as const;

const meanings: Readonly<Record<string, string>> = {
  'SEV-1': 'Critical: act now',
  'SEV-2': 'Serious: look at it today',
  'SEV-3': 'Worth knowing',
};

const tones: Readonly<Record<string, Tone>> = { 'SEV-1': 'bad', 'SEV-2': 'warn' };

export const severityMeaning = (severity: string): string => meanings[severity] ?? '';

export const Severity = ({ severity }: { readonly severity: string | null }) =>
  severity === null ? (
    <span class="faint">—</span>
  ) : (
    <span title={meanings[severity]}>
      <StatusBadge tone={tones[severity] ?? 'plain'}>{severity}</StatusBadge>
    </span>
  );
