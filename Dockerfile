# syntax=docker/dockerfile:1
# Pin it for what you run: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… (docker buildx imagetools inspect says which).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY src/events/package.json src/events/
RUN npm ci --ignore-scripts
COPY tsconfig.json README.md LICENSE ./
COPY src src
COPY config config
COPY docs docs
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /opt/shipbell
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/config config
COPY --from=build /build/docs docs
COPY --from=build /build/src/bin.js src/bin.js
RUN ln -s /opt/shipbell/src/bin.js /usr/local/bin/shipbell && install -d -o 1000 -g 1000 -m 0700 /data
# The image's `node`, by number: Kubernetes has to see that it is not root. Nothing but /data is written.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8484
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8484/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As `shipbell` begins itself again with: as the first process it does not, because no signal is heard while Node starts.
ENV MALLOC_ARENA_MAX=1
ENTRYPOINT ["node", "--min-semi-space-size=4", "--max-semi-space-size=16", "/opt/shipbell/src/bin.js"]
CMD ["run", "-c", "/data/shipbell.yaml"]
