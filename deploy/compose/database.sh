#!/bin/sh
# Creates KOTA's role and database when the server starts for the first time. KOTA needs
# no superuser: the role owns its database, and may create a second role, which owns nothing. KOTA
# works as that second role.
set -eu
password=$(cat /run/secrets/database-password)
psql -v ON_ERROR_STOP=1 -v password="$password" -U postgres <<'SQL'
CREATE ROLE kota LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE kota OWNER kota TEMPLATE template0 ENCODING 'UTF8';
SQL
