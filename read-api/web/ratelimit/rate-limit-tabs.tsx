/** Links between the pages of rate limits. */
import { policiesPath, rateLimitsPath, refusalsPath, usagePath } from './paths';

const tabs = [
  { path: rateLimitsPath, label: 'Overview' },
  { path: refusalsPath, label: 'Refusals' },
  { path: usagePath, label: 'Usage' },
  { path: policiesPath, label: 'Rules' },
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
