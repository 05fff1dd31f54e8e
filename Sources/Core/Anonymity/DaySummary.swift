/// One person's day in UTC, hour by hour, kept so that a question about months need not read every
/// sample.
public struct DaySummary: Hashable, Sendable {
    /// The mean of each quantity in each hour, of a distance the metres; NaN: none.
    private var values: [Float]
    /// The person's first cell in each hour.
    private var cells: [Int64?]

    public static let hours = 24

    public init() {
        values = Array(repeating: .nan, count: Self.hours * Quantity.allCases.count)
        cells = Array(repeating: nil, count: Self.hours)
    }

    public var isEmpty: Bool { values.allSatisfy(\.isNaN) && cells.allSatisfy { $0 == nil } }

    /// - Parameter hour: of the day, from 0 to 23.
    public subscript(hour: Int) -> HourSummary {
        get {
            HourSummary(
                Quantity.allCases.map { quantity in
                    let value = values[Self.place(of: quantity, hour)]
                    return value.isNaN ? nil : value
                }, cell: cells[hour])
        }
        set {
            for quantity in Quantity.allCases {
                values[Self.place(of: quantity, hour)] = newValue[quantity] ?? .nan
            }
            cells[hour] = newValue.cell
        }
    }

    private static func place(of quantity: Quantity, _ hour: Int) -> Int {
        hour * Quantity.allCases.count + quantity.rawValue
    }

    /// Adds the reports of some hours of the day.
    func add(_ hours: Range<Int>, to contribution: inout Contribution) {
        var metres: Float?
        for hour in hours {
            for quantity in Quantity.vitals {
                let value = values[Self.place(of: quantity, hour)]
                if !value.isNaN { contribution.add(Double(value), of: quantity) }
            }
            let distance = values[Self.place(of: .distance, hour)]
            if !distance.isNaN { metres = (metres ?? 0) + distance }
            if let cell = cells[hour] { contribution.add(Presence(hour: hour, cell: cell)) }
        }
        if let metres { contribution.add(Double(metres), of: .distance) }
    }

    // MARK: Bytes

    /// The version of the format: this byte, then for each hour a byte that states which values
    /// follow, and those values, little-endian.
    private static let version: UInt8 = 1

    /// Restores a stored day.
    ///
    /// - Parameters:
    ///   - vitals: ``vitals``; nil if they have been deleted.
    ///   - positions: ``positions``, likewise.
    /// - Returns: nil if the bytes are damaged.
    public init?(vitals: [UInt8]?, positions: [UInt8]?) {
        self.init()
        if let vitals {
            var reader = ByteReader(vitals)
            guard reader.next() == Self.version else { return nil }
            for hour in 0..<Self.hours {
                guard let mask = reader.next() as UInt8? else { return nil }
                for quantity in Quantity.vitals where mask & quantity.bit != 0 {
                    guard let bits = reader.next() as UInt32? else { return nil }
                    values[Self.place(of: quantity, hour)] = Float(bitPattern: bits)
                }
            }
        }
        if let positions {
            var reader = ByteReader(positions)
            guard reader.next() == Self.version else { return nil }
            for hour in 0..<Self.hours {
                guard let mask = reader.next() as UInt8? else { return nil }
                if mask & Self.hasDistance != 0 {
                    guard let bits = reader.next() as UInt32? else { return nil }
                    values[Self.place(of: .distance, hour)] = Float(bitPattern: bits)
                }
                if mask & Self.hasCell != 0 {
                    guard let bits = reader.next() as UInt64? else { return nil }
                    cells[hour] = Int64(bitPattern: bits)
                }
            }
        }
    }

    /// The vital signs, which are to be encrypted; nil if there are none.
    public var vitals: [UInt8]? {
        var (bytes, hasAny) = ([Self.version], false)
        for hour in 0..<Self.hours {
            let reported = Quantity.vitals.filter { !values[Self.place(of: $0, hour)].isNaN }
            bytes.append(reported.reduce(0) { $0 | $1.bit })
            for quantity in reported {
                bytes.append(values[Self.place(of: quantity, hour)].bitPattern)
            }
            if !reported.isEmpty { hasAny = true }
        }
        return hasAny ? bytes : nil
    }

    /// Distances and cells; nil if there are none.
    public var positions: [UInt8]? {
        var (bytes, hasAny) = ([Self.version], false)
        for hour in 0..<Self.hours {
            let distance = values[Self.place(of: .distance, hour)]
            let mask =
                (distance.isNaN ? 0 : Self.hasDistance) | (cells[hour] == nil ? 0 : Self.hasCell)
            bytes.append(mask)
            if !distance.isNaN { bytes.append(distance.bitPattern) }
            if let cell = cells[hour] { bytes.append(UInt64(bitPattern: cell)) }
            if mask != 0 { hasAny = true }
        }
        return hasAny ? bytes : nil
    }

    private static let hasDistance: UInt8 = 1
    private static let hasCell: UInt8 = 2
}

/// One person's reports in one hour, from all devices.
public struct HourSummary: Hashable, Sendable {
    /// Indexed by the quantities' raw values.
    private var values: [Float?]
    /// The person's first cell, by the caller's name.
    public var cell: Int64?

    fileprivate init(_ values: [Float?], cell: Int64?) { (self.values, self.cell) = (values, cell) }

    public init() {
        self.init(Array(repeating: nil, count: Quantity.allCases.count), cell: nil)
    }

    /// The mean, or the distance in metres; non-finite values are ignored.
    public subscript(quantity: Quantity) -> Float? {
        get { values[quantity.rawValue] }
        set { values[quantity.rawValue] = newValue.flatMap { $0.isFinite ? $0 : nil } }
    }

    public var isEmpty: Bool { cell == nil && values.allSatisfy { $0 == nil } }
}

extension Quantity {
    /// The quantities that a wearable measures.
    public static let vitals = allCases.filter { $0 != .distance }

    fileprivate var bit: UInt8 { 1 << UInt8(rawValue) }
}

private struct ByteReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil at the end.
    mutating func next<Number: FixedWidthInteger>() -> Number? {
        let length = Number.bitWidth / 8
        guard place + length <= bytes.count else { return nil }
        defer { place += length }
        return (0..<length).reduce(0) { $0 | Number(bytes[place + $1]) << ($1 * 8) }
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        for index in 0..<(Number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (index * 8)))
        }
    }
}
