/** Styles Swagger UI like the console, with a dark scheme. */
export const swaggerTheme = `
:root { color-scheme: light dark; }
body { margin: 0; background: #faf9f7; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description {
  font-family: system-ui, sans-serif;
}
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info .title { font-size: 26px; letter-spacing: -0.02em; }
.swagger-ui .scheme-container { padding: 12px 0; background: none; box-shadow: none; }
.swagger-ui .opblock-tag { font-size: 18px; }
.swagger-ui .opblock { margin: 0 0 6px; border-radius: 6px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-method { min-width: 64px; border-radius: 4px; font-size: 12px; }
.swagger-ui .opblock .opblock-summary-path { font-size: 14px; font-weight: 500; }
@media (prefers-color-scheme: dark) {
  html { background: #131415; }
  body { background: none; }
  #documentation { filter: invert(0.92) hue-rotate(180deg); }
}
`;

export const swaggerIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Septet</title>
<rect width="32" height="32" rx="7" fill="#0f5f5c"/><path stroke="#fff" stroke-width="2" stroke-linecap="round"
d="M6.5 18v6M9.7 13v11M12.9 16v8M16 8v16M19.1 14v10M22.3 11v13M25.5 19v5"/></svg>
`;
