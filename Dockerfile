FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY src/events/package.json src/events/
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY config config
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/shipbell
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/config config
COPY --from=build /build/src/bin.js src/bin.js
RUN ln -s /opt/shipbell/src/bin.js /usr/local/bin/shipbell && install -d -o node -g node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8484
ENTRYPOINT ["shipbell"]
CMD ["run", "-c", "/data/shipbell.yaml"]
