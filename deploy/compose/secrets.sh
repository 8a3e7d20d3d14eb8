#!/bin/sh
# Makes the secrets of the compose file, once: sh deploy/compose/secrets.sh NAME
# NAME is the public name, such as kota.example.com.
# They are readable for the users of the containers. The mode of the folder keeps other people out.
set -eu
public=${1:?give the public name, such as kota.example.com}
here=$(dirname "$0")
sh "$here/../certificates.sh" "$here/private" kota-a kota-b "$public"
cd "$here/private"
[ -e database-password ] || openssl rand -hex 24 >database-password
echo "postgres:5432:kota:kota:$(cat database-password)" >pgpass
[ -e kota.env ] || printf 'KOTA_HTTP_TOKEN=%s\nKOTA_METRICS_TOKEN=%s\n' "$(openssl rand -hex 32)" "$(openssl rand -hex 32)" >kota.env
grep -q KOTA_SECRETS_KEY kota.env || printf 'KOTA_SECRETS_KEY=%s\n' "$(openssl rand -base64 32)" >>kota.env # keep a copy: docs/how-to/secrets.md
# public.pem is the certificate of the public name, followed by its key. Until you have one, clients
# that trust ca.crt can use the one of the replicas.
[ -e public.pem ] || cat tls.crt tls.key >public.pem
chmod 644 database-password pgpass public.pem
