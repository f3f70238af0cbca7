"""A collective against two others that do its work one after the other."""

from weir.network.guidelines.guideline import declare, share, whole

declare(whole("Allreduce"), whole("Reduce"), whole("Bcast"))
declare(whole("Allreduce"), share("Reduce_scatter"), share("Allgather"))
declare(whole("Allreduce"), share("Reduce_scatter_block"), share("Allgather"))
declare(share("Allgather"), share("Gather"), whole("Bcast"))
declare(whole("Bcast"), share("Scatter"), share("Allgather"))
declare(whole("Reduce"), share("Reduce_scatter"), share("Gather"))
declare(whole("Reduce"), share("Reduce_scatter_block"), share("Gather"))
declare(share("Reduce_scatter"), whole("Reduce"), share("Scatter"))
declare(share("Reduce_scatter"), whole("Reduce"), share("Scatterv"))
declare(share("Reduce_scatter_block"), whole("Reduce"), share("Scatter"))
