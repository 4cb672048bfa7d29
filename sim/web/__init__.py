"""Games as WebAssembly, so that a web page can play them."""
