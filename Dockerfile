# syntax=docker/dockerfile:1
#
#   docker build -t gatewright/gatewright:0.1.0 .                             the controller, and proxies of the embedded driver
#   docker build -t gatewright/gatewright:0.1.0-nginx --target nginx .        proxies of the NGINX driver: NGINX beside the agent
#   docker build -t gatewright/gatewright:0.1.0-haproxy --target haproxy .    proxies of the HAProxy driver

# The CRDs that the operator installs …
FROM docker.io/library/golang:1.26-bookworm AS gateway-api
RUN go mod download sigs.k8s.io/gateway-api@v1.6.3

# … the program is built where there are tools for it …
FROM docker.io/library/node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
COPY --from=gateway-api /go/pkg/mod/sigs.k8s.io/gateway-api@v1.6.3 /gateway-api
RUN GATEWAY_API_MODULE=/gateway-api node scripts/image-root.mjs /image/app

FROM docker.io/library/debian:bookworm-slim AS nginx
RUN apt-get update \
  && apt-get install -y --no-install-recommends nginx libnginx-mod-stream libnginx-mod-stream-js libnginx-mod-http-js \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image/app /app
ENV NODE_ENV=production
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]

FROM docker.io/library/debian:bookworm-slim AS haproxy
RUN apt-get update \
  && apt-get install -y --no-install-recommends haproxy \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image/app /app
ENV NODE_ENV=production
WORKDIR /app
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]

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
