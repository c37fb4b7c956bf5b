"""Models that answer a request: providers, a GGUF file in process, files, scripts."""
