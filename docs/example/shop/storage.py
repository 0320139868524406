ROWS = []


def write(record):
    ROWS.append(record)
    return record
