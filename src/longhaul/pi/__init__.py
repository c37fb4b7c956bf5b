"""pi's files and processes: sessions, settings, installation, the server behind the extension."""
