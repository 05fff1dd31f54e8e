internal import Contract
internal import Sealing
internal import Tracking

/// The rows of a table, declared once: the column names, and how to read and write a value. The
/// statements are derived from it, and no column is accessed by number.
///
///     static let record = Record<Note>(
///         "notes", Column("id", .id, \.id), Column("text", .text, \.text)) { Note($0, $1) }
struct Record<Value>: Sendable {
    let table: String
    /// `SELECT …, … FROM …`, to which the rest of the query is appended.
    let selection: String
    private let names: [String]
    private let insertion: String
    /// Inserts a row whose first column, a number, is assigned by the database.
    let numberedInsertion: String
    /// Changes the row with the same first column, which is the last value.
    let change: String
    /// Inserts a row, or replaces the one with the same key.
    let replacement: String
    let read: @Sendable (any SQLRow) throws -> Value
    let values: @Sendable (Value) -> [SQLValue]

    /// - Parameter key: the number of columns, the first ones, that are the key.
    init<each Part>(
        _ table: String, key: Int = 1, _ column: repeat Column<Value, each Part>,
        make: @escaping @Sendable (repeat each Part) throws -> Value
    ) {
        var (selected, names): ([String], [String]) = ([], [])
        for column in repeat each column {
            selected += column.names
            if column.isStored { names += column.names }
        }
        (self.table, self.names) = (table, names)
        selection = "SELECT \(selected.joined(separator: ", ")) FROM \(table)"
        let keys = names.prefix(key).joined(separator: ", ")
        let changes = names.dropFirst(key).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        insertion = Record.insertion(into: table, names)
        let others = names.dropFirst()
        numberedInsertion =
            "\(Record.insertion(into: table, Array(others))) RETURNING \(names[0])"
        let settings = others.map { "\($0) = ?" }.joined(separator: ", ")
        change = "UPDATE \(table) SET \(settings) WHERE \(names[0]) = ?"
        replacement = "\(insertion) ON CONFLICT (\(keys)) DO UPDATE SET \(changes)"
        read = { row in
            var place = 0
            return try make(repeat try (each column).read(row, &place, of: table))
        }
        values = { value in
            var values: [SQLValue] = []
            for more in repeat (each column).write(value) { values += more }
            return values
        }
    }
}

extension Record {
    /// - Parameter more: columns outside the value.
    func insertion(with more: [String]) -> String {
        more.isEmpty ? insertion : Record.insertion(into: table, names + more)
    }

    private static func insertion(into table: String, _ names: [String]) -> String {
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))"
    }
}

/// One or more columns of a table, and the part of a row's value that they hold.
struct Column<Row, Part>: Sendable {
    let names: [String]
    private let type: ColumnType<Part>
    /// Nil: read-only.
    private let part: (any KeyPath<Row, Part> & Sendable)?

    init(_ names: String..., type: ColumnType<Part>, _ part: any KeyPath<Row, Part> & Sendable) {
        precondition(names.count == type.width, "\(names) are not as many as the type has")
        (self.names, self.type, self.part) = (names, type, part)
    }

    init(_ name: String, _ type: ColumnType<Part>, _ part: any KeyPath<Row, Part> & Sendable) {
        (names, self.type, self.part) = ([name], type, part)
    }

    /// A column computed from the row's columns and other tables.
    init(following expression: String, _ type: ColumnType<Part>) {
        (names, self.type, part) = ([expression], type, nil)
    }

    var isStored: Bool { part != nil }

    func write(_ row: Row) -> [SQLValue] { part.map { type.write(row[keyPath: $0]) } ?? [] }

    func read(_ row: any SQLRow, _ place: inout Int, of table: String) throws -> Part {
        defer { place += names.count }
        guard let part = try type.read(row, place) else {
            throw StoreError(.decode, reason: "\(table).\(names[0]) is damaged")
        }
        return part
    }
}

/// The representation of a value in a column, or in several adjacent ones.
struct ColumnType<Value>: Sendable {
    /// The number of columns.
    let width: Int
    /// Reads the value from the column with that number; nil if it is not a valid value.
    let read: @Sendable (any SQLRow, Int) throws -> Value?
    let write: @Sendable (Value) -> [SQLValue]

    init(
        width: Int = 1,
        read: @escaping @Sendable (any SQLRow, Int) throws -> Value?,
        write: @escaping @Sendable (Value) -> [SQLValue]
    ) {
        (self.width, self.read, self.write) = (width, read, write)
    }

    /// As a text.
    init(
        text read: @escaping @Sendable (String) -> Value?,
        _ write: @escaping @Sendable (Value) -> String
    ) {
        self.init { row, place in
            read(try row.text(place))
        } write: {
            [.text(write($0))]
        }
    }

    /// Columns that may be null: then the first one is.
    static func null<Wrapped>(or type: ColumnType<Wrapped>) -> ColumnType where Value == Wrapped? {
        ColumnType(width: type.width) { row, place in
            if row.isNull(place) { return .some(nil) }
            return try type.read(row, place).map { .some($0) }
        } write: { value in
            value.map(type.write) ?? Array(repeating: .null, count: type.width)
        }
    }

    /// The raw value of one of its cases.
    static func word(of type: Value.Type) -> ColumnType
    where Value: RawRepresentable & SendableMetatype, Value.RawValue == String {
        ColumnType(text: { Value(rawValue: $0) }, \.rawValue)
    }
}

extension ColumnType where Value == String {
    static let text = ColumnType(text: { $0 }, { $0 })
}

extension ColumnType where Value == Int64 {
    static let integer = ColumnType { row, place in
        try row.integer(place)
    } write: {
        [.integer($0)]
    }
}

extension ColumnType where Value: FixedWidthInteger & SendableMetatype {
    static var count: ColumnType {
        ColumnType { row, place in
            Value(exactly: try row.integer(place))
        } write: {
            [.integer(Int64($0))]
        }
    }
}

extension ColumnType where Value == Bool {
    static let flag = ColumnType { row, place in
        try row.integer(place) != 0
    } write: {
        [.integer($0 ? 1 : 0)]
    }
}

extension ColumnType where Value == UUIDv7 {
    static let id = ColumnType(text: { UUIDv7($0) }, \.description)
}

extension ColumnType where Value: Identifier {
    /// The number of a user, a group or a device.
    static var number: ColumnType {
        ColumnType { row, place in
            Value(rawValue: try row.integer(place))
        } write: {
            [.integer($0.rawValue)]
        }
    }
}

extension ColumnType where Value == Name {
    static let name = ColumnType(text: { Name($0) }, \.text)
}

extension ColumnType where Value == Double {
    static let real = ColumnType { row, place in
        try row.real(place)
    } write: {
        [.real($0)]
    }
}

extension ColumnType where Value == [UInt8] {
    static let blob = ColumnType { row, place in
        try row.blob(place)
    } write: {
        [.blob($0)]
    }
}

extension ColumnType where Value == Timestamp {
    /// Milliseconds since the epoch.
    static let time = ColumnType { row, place in
        Timestamp(milliseconds: try row.integer(place))
    } write: {
        [SQLValue($0)]
    }
}

extension ColumnType where Value == Coordinate {
    /// Latitude and longitude, in units of 10⁻⁷ degrees.
    static let coordinate = ColumnType(width: 2) { row, place in
        Coordinate(
            latitudeE7: try row.integer(place), longitudeE7: try row.integer(place + 1))
    } write: {
        [.integer(Int64($0.latitudeE7)), .integer(Int64($0.longitudeE7))]
    }
}

extension ColumnType where Value == SealingKeys.Sealed {
    /// The key's number, and the data sealed with it.
    static let sealed = ColumnType(width: 2) { row, place in
        SealingKeys.Sealed(key: try row.integer(place), bytes: try row.blob(place + 1))
    } write: {
        [.integer($0.key), .blob($0.bytes)]
    }
}

extension Transaction {
    /// - Parameter rest: the query from `WHERE` on.
    func rows<Value>(_ record: Record<Value>, _ rest: String, _ values: [SQLValue] = [])
        throws(StoreError) -> [Value]
    {
        try all("\(record.selection) \(rest)", values, record.read)
    }

    /// - Parameter more: columns outside the value.
    func insert<Value>(
        _ value: Value, _ record: Record<Value>, with more: [(name: String, value: SQLValue)] = []
    ) throws(StoreError) {
        try driver.execute(
            record.insertion(with: more.map(\.name)), record.values(value) + more.map(\.value))
    }

    /// Inserts a row, or replaces the one with its key.
    func save<Value>(_ value: Value, _ record: Record<Value>) throws(StoreError) {
        try driver.execute(record.replacement, record.values(value))
    }

    /// Changes the row with the value's key, if there is one.
    func update<Value>(_ value: Value, _ record: Record<Value>) throws(StoreError) {
        let values = record.values(value)
        try driver.execute(record.change, values.dropFirst() + [values[0]])
    }

    /// - Returns: the row's number, its first column, regardless of the value's.
    func insertNumbered<Value>(_ value: Value, _ record: Record<Value>)
        throws(StoreError) -> Int64
    {
        try one(record.numberedInsertion, Array(record.values(value).dropFirst())) {
            try $0.integer(0)
        } ?? 0
    }
}
