-- minimum reader: 1

-- Copies of address books.
CREATE TABLE contacts (
    owner   bigint NOT NULL,
    account text COLLATE "C" NOT NULL,
    source  text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    card    text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, account, source, id)
);
ALTER TABLE contacts ALTER COLUMN card SET STATISTICS 0;

CREATE TABLE contacts_state (
    owner   bigint NOT NULL,
    account text COLLATE "C" NOT NULL,
    source  text COLLATE "C" NOT NULL,
    token   text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    synced  bigint NOT NULL,
    PRIMARY KEY (owner, account, source)
);
