-- A credential goes over TLS unless its document says otherwise. What is stored so far was never asked, so it says no.
ALTER TABLE credentials ADD COLUMN allow_unencrypted boolean NOT NULL DEFAULT false;
