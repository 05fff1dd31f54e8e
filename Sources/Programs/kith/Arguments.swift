public import ArgumentParser
public import Contract

extension Name: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
