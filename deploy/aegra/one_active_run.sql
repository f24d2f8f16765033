-- One run at a time on a thread, whichever process takes it: Aegra keeps no order of its own.
CREATE UNIQUE INDEX IF NOT EXISTS one_active_run ON runs (thread_id) WHERE status IN ('pending', 'running');
