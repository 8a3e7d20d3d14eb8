#!/bin/sh
# Makes the certificate that replicas show to the load balancer, and the authority that signs it:
#   sh deploy/certificates.sh FOLDER [NAME…]
# Run it again to renew the certificate; the authority stays. The names are those of the replicas.
set -eu
folder=$1; shift
mkdir -p -m 700 "$folder"
umask 077
cd "$folder"
names="DNS:kota,DNS:localhost,IP:127.0.0.1"
for name in "$@"; do names="$names,DNS:$name"; done
if [ ! -e ca.key ]; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=KOTA replicas" -keyout ca.key -out ca.crt
fi
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=kota" -keyout tls.key.new -out tls.csr
printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$names" >tls.ext
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile tls.ext -out tls.crt.new
mv tls.key.new tls.key
mv tls.crt.new tls.crt
rm tls.csr tls.ext
# Programs in containers run as other users. The mode of the folder keeps other people out.
chmod 644 ca.crt tls.crt tls.key
