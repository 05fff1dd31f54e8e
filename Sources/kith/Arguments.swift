public import ArgumentParser
public import Bench
public import Contract

extension Name: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Part: ExpressibleByArgument {}
