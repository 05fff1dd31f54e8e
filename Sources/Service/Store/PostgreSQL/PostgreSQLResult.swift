internal import CPostgreSQL
internal import Numbers

/// The types of parameters and columns, by their object identifier.
enum PostgreSQLType: UInt32 {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case float8 = 701
    case numeric = 1700

    /// The type of the value as a parameter; nil if it is null.
    init?(_ value: SQLValue) {
        switch value {
        case .null: return nil
        case .integer: self = .int8
        case .real: self = .float8
        case .text: self = .text
        case .blob: self = .bytea
        }
    }
}

/// The values of a statement in PostgreSQL's binary formats.
struct PostgreSQLParameters {
    private var bytes: [CChar] = []
    /// Where each value begins in the bytes; nil: null.
    private var places: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    mutating func encode(_ values: [SQLValue]) {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for value in values {
            let place = bytes.count
            switch value {
            case .null: break
            case .integer(let number): append(UInt64(bitPattern: number))
            case .real(let number): append(number.bitPattern)
            case .text(let text): bytes += text.utf8.lazy.map(CChar.init(bitPattern:))
            case .blob(let blob): bytes += blob.lazy.map(CChar.init(bitPattern:))
            }
            places.append(value == .null ? nil : place)
            lengths.append(Int32(bytes.count - place))
        }
        // An empty value has a place too.
        bytes.append(0)
        while formats.count < values.count { formats.append(1) }
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0.lazy.map(CChar.init(bitPattern:)) }
    }

    func withPointers(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, [Int32], [Int32]) -> Int32
    ) -> Int32 {
        bytes.withUnsafeBufferPointer { bytes in
            let pointers = places.map { place in
                place.flatMap { bytes.baseAddress?.advanced(by: $0) }
            }
            return pointers.withUnsafeBufferPointer { body($0.baseAddress, lengths, formats) }
        }
    }
}

/// The result of a statement.
final class PostgreSQLResult {
    fileprivate let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }
    var rows: Int32 { PQntuples(result) }
    var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    /// What was executed, such as `COMMIT`.
    var command: String { String(cString: PQcmdStatus(result)) }

    func row(_ number: Int32) -> PostgreSQLRow { PostgreSQLRow(result: self, row: number) }

    /// Nil if the statement was executed.
    func failure(_ operation: StoreError.Operation) -> StoreError? {
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC: return nil
        case PGRES_PIPELINE_ABORTED:
            return StoreError(operation, reason: "an earlier statement failed")
        default:
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
            return StoreError(operation, sqlState: state.map { String(cString: $0) } ?? "")
        }
    }
}

struct PostgreSQLRow: SQLRow {
    let result: PostgreSQLResult
    let row: Int32

    func isNull(_ column: Int) -> Bool { PQgetisnull(result.result, row, Int32(column)) == 1 }

    func integer(_ column: Int) throws(StoreError) -> Int64 {
        let found: Int64? =
            switch (type(column), bytes(column)) {
            case (.int8, let bytes?): Int64(truncatingIfNeeded: number(bytes))
            case (.int4, let bytes?): Int64(Int32(truncatingIfNeeded: number(bytes)))
            case (.int2, let bytes?): Int64(Int16(truncatingIfNeeded: number(bytes)))
            case (.bool, let bytes?): bytes.first == 0 ? 0 : 1
            case (.numeric, let bytes?): decimal(bytes).flatMap { Int64(exactly: $0) }
            default: nil
            }
        guard let found else { throw wrong(column) }
        return found
    }

    func real(_ column: Int) throws(StoreError) -> Double {
        switch (type(column), bytes(column)) {
        case (.float8, let bytes?): return Double(bitPattern: number(bytes))
        case (.numeric, let bytes?):
            guard let value = decimal(bytes) else { throw wrong(column) }
            return value
        default: return Double(try integer(column))
        }
    }

    func text(_ column: Int) throws(StoreError) -> String {
        guard type(column) == .text, let bytes = bytes(column) else { throw wrong(column) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        guard type(column) == .bytea, let bytes = bytes(column) else { throw wrong(column) }
        return Array(bytes)
    }

    private func type(_ column: Int) -> PostgreSQLType? {
        PostgreSQLType(rawValue: PQftype(result.result, Int32(column)))
    }

    /// Nil if the column is null, or there is none.
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        guard column < PQnfields(result.result), !isNull(column) else { return nil }
        let length = Int(PQgetlength(result.result, row, Int32(column)))
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result.result, row, Int32(column)), count: length)
    }

    private func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The value of a `numeric`, such as a sum has: a count of digits of base 10,000, the weight of
    /// the first, the sign, the number of decimals, and the digits, in 16 bits each.
    private func decimal(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count >= 8, bytes.count % 2 == 0 else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let (weight, sign) = (Int16(bitPattern: words[1]), words[2])
        guard sign == 0 || sign == 0x4000 else { return nil }
        var (value, power) = (0.0, Int(weight))
        for digit in words.dropFirst(4) {
            value += Double(digit) * powerOfTenThousand(power)
            power -= 1
        }
        return sign == 0 ? value : -value
    }

    private func powerOfTenThousand(_ power: Int) -> Double {
        let size = (0..<abs(power)).reduce(1.0) { size, _ in size * 10_000 }
        return power < 0 ? 1 / size : size
    }

    private func wrong(_ column: Int) -> StoreError {
        StoreError(.decode, reason: "column \(column) is not what it should be")
    }
}
