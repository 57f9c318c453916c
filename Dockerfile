# docker build -t collinear .
# docker run --init -p 4655:4655 -v collinear:/data collinear     prints the address with its token
FROM rust:1.89-alpine AS build
RUN apk add --no-cache build-base
COPY . /source
RUN cargo install --path /source/crates/cli --locked --root /built
FROM scratch
COPY --from=build /built/bin/collinear /collinear
EXPOSE 4655
VOLUME /data
ENTRYPOINT ["/collinear"]
CMD ["serve", "--host", "0.0.0.0", "--no-open", "--data", "/data"]
