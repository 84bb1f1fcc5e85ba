# syntax=docker/dockerfile:1

# The program is built where there are tools for it …
FROM docker.io/library/node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/image-root.mjs /image/app

# … and runs where there is nothing but it and Node: no shell, no package manager, no root.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image/app /app
ENV NODE_ENV=production
WORKDIR /app
USER 65532:65532
# Controller: channel and health; proxies: status. Listeners are bound from 1024 on.
EXPOSE 18000 19000 19001
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]
CMD ["help"]
