"""CodeGPS in the configuration of agents: where each keeps it, and edits that touch nothing but our entry."""
