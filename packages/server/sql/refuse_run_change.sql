-- Called only to complain: the trigger's condition has decided already.
CREATE OR REPLACE FUNCTION refuse_run_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run % is % at epoch % and cannot become % at epoch %', OLD.id, OLD.status, OLD.epoch, NEW.status, NEW.epoch
    USING ERRCODE = 'check_violation';
END $$;
