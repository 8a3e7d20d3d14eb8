package postgres

const schemaName = "kota"
