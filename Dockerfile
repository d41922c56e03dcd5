# isodelta with the Go toolchain and git: docker run -v "$PWD:/src" IMAGE main..HEAD,
# or in a workflow, uses: docker://ghcr.io/isodelta/isodelta:VERSION.
#
# Bases are pinned to versions only: their digests were not to be had where this
# was written, and a made-up one would build nothing. To pin one to its digest, ask
#   docker buildx imagetools inspect golang:1.26.8-bookworm
# and append @sha256:…; Dependabot renews both.
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
ARG TARGETOS TARGETARCH
ARG VERSION=devel
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/isodelta/isodelta/internal/command.stamped=$VERSION" -o /isodelta .

# The toolchain for the platform that the image is for, without what no build reads.
FROM golang:1.26.8-bookworm AS toolchain
RUN rm -rf /usr/local/go/api /usr/local/go/doc /usr/local/go/misc /usr/local/go/test

FROM debian:12.11-slim
RUN apt-get update && \
    apt-get install --yes --no-install-recommends ca-certificates git && \
    rm -rf /var/lib/apt/lists/*
COPY --from=toolchain /usr/local/go /usr/local/go
COPY --from=build /isodelta /usr/local/bin/isodelta

# The user has the number that GitHub's runners give their files. Any other
# number works as well (docker run --user): the home is everybody's, as /tmp is.
# Somebody else's repository is git's business at the two places where the image
# expects one; elsewhere git goes on refusing it.
RUN useradd --uid 1001 --create-home --home-dir /home/isodelta isodelta && \
    chmod 1777 /home/isodelta && \
    git config --system --add safe.directory /src && \
    git config --system --add safe.directory /github/workspace
ENV PATH=/usr/local/go/bin:$PATH \
    HOME=/home/isodelta \
    GOPATH=/home/isodelta/go \
    GOCACHE=/home/isodelta/.cache/go-build \
    GOFLAGS=-buildvcs=false
USER 1001
WORKDIR /src
ENTRYPOINT ["isodelta"]
