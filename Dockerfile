# An image with hardmode and its compiled code.
#
#   docker build -t hardmode .
#   docker run --rm -v "$PWD:/work" hardmode run mine.yaml
#
# Machine code is compiled for the processor of the machine that builds the image. On another kind of processor, games are
# compiled again when they are first played. Files are written by the user 1000; another one is chosen with
# --build-arg UID=$(id -u).
FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/hardmode
COPY requirements.lock ./
RUN /opt/hardmode/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . ./
RUN /opt/hardmode/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
ARG UID=1000
RUN useradd --uid "$UID" --create-home designer && install -d -o designer /work
COPY --from=build /opt/hardmode /opt/hardmode
ENV PATH=/opt/hardmode/bin:$PATH
USER designer
WORKDIR /work
RUN hardmode precompile
ENTRYPOINT ["hardmode"]
CMD ["--help"]
