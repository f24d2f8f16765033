"""The page in the browser: its files, and what it reads and sends besides the server's own API."""
