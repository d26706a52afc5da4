/** Links between the pages of rate limits. */
import { policiesPath, refusalsPath, usagePath } from './paths';

const tabs = [
  { path: refusalsPath, label: 'Refusals' },
  { path: usagePath, label: 'Usage' },
  { path: policiesPath, label: 'Policies' },
] as const;

export const RateLimitTabs = ({ current }: { readonly current: (typeof tabs)[number]['label'] }) => (
  <nav class="tabs" aria-label="Rate limits">
    {tabs.map(({ path, label }) => (
      <a key={path} href={path} {...(label === current ? { 'aria-current': 'page' as const } : {})}>
        {label}
      </a>
    ))}
  </nav>
);
